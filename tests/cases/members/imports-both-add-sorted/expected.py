from shop.basket import Basket
from shop.cards import Cards
from shop.orders import Orders
from shop.prices import Prices


def total(basket):
    return Prices().of(basket)
