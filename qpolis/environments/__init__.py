"""Games as environments: many at once in arrays, and as PettingZoo, Gymnasium and OpenSpiel know them."""
