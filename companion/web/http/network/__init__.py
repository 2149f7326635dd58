"""Where phones reach this computer: its addresses, the host names it answers to, and the notice on plain HTTP."""
