"""What answers get besides their page: headers, errors and problems, and what needs no page at all."""
