void hook(void) {}

int version(void)
{
    return 1;
}
