from shop.basket import Basket
from shop.prices import Prices


def total(basket):
    return Prices().of(basket)
