"""What is exactly true if the judges' errors are independent."""
