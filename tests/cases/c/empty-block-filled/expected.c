int build(void)
{
    return 7;
}

void hook(void)
{
    count++;
}

int version(void)
{
    return 2;
}
