"""All methods side by side on one data set."""
