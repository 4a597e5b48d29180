"""Models: layers, recurrent cells, contrib's layers. Nothing below knows them."""
