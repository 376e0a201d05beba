"""What is logically possible, given only how the judges voted."""
