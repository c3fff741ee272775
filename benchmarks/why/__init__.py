"""What a why-chain takes."""
