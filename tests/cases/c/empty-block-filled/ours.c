int build(void)
{
    return 7;
}

void hook(void)
{
}

int version(void)
{
    return 2;
}
