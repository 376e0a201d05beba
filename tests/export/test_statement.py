"""The statement of a certificate, against the verifier's own polynomials."""
