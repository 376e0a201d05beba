"""Arrays in, arrays out: the law of the sign of a sum of +1, 0 and -1, by one integral and two other ways."""
