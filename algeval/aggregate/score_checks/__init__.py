"""What stands beside a consensus of scores."""
