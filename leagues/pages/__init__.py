"""What pages show: words, addresses and charts, made of what the selectors answer."""
