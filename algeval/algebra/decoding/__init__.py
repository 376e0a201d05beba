"""From the counts of judges whose errors are independent to their exact evaluation."""
