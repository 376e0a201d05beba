"""Commands about the systems that judges judge."""
