"""The arithmetic of the methods: arrays in, arrays out, no names and no checks."""
