"""What tables know of items: their true labels, their attributes, their clusters."""
