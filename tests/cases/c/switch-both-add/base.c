int step(struct vm *vm)
{
    switch (vm->op) {
    case OP_NOP:
        break;
    case OP_INC:
        vm->acc++;
        /* fall through */
    case OP_DEC:
        vm->acc--;
        break;
    default:
        return -1;
    }
    return 0;
}
