"""`GIT binary patch`: base-85 lines around a deflated literal or delta, and how these make a file's new bytes."""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode
from typing import TYPE_CHECKING, assert_never

from patchq.errors import PatchFormatError
from patchq.model.change import BinaryBlock, BinaryBody, BinaryMethod
from patchq.patchfile.limits import MAX_BLOCK_BYTES
from patchq.patchfile.lines import bare

if TYPE_CHECKING:
    from patchq.patchfile.lines import Lines

BINARY_START = b"GIT binary patch\n"

_LINE_BYTES = 52  # payload of a full line; its length character is `z`
_UPPER = 26
_GIT_LEVEL = 1  # git's default for core.compression outside packs: Z_BEST_SPEED


def read_binary(lines: Lines, budget: int) -> BinaryBody:
    """Read the block or two behind `GIT binary patch`, of at most `budget` inflated bytes together."""
    lines.at += 1
    forward = _read_block(lines, budget)
    if forward is None:
        raise lines.error("a binary patch starts with `literal SIZE` or `delta SIZE`")
    reverse = _read_block(lines, budget - len(forward.data))
    return BinaryBody(forward, reverse)


def render_binary(body: BinaryBody) -> bytes:
    """Write what `git diff --binary` writes; equal bytes wherever zlib compresses as git's own does."""
    blocks = [body.forward] if body.reverse is None else [body.forward, body.reverse]
    return BINARY_START + b"".join(map(_render_block, blocks))


def literal_body(old: bytes, new: bytes) -> BinaryBody:
    """Describe the change from `old` to `new` (empty: no file) with both whole contents."""
    return BinaryBody(BinaryBlock(BinaryMethod.LITERAL, new), BinaryBlock(BinaryMethod.LITERAL, old))


def apply_block(block: BinaryBlock, base: bytes) -> bytes:
    """Make the bytes that `block` stands for; a delta needs its `base`. PatchFormatError when it does not fit."""
    match block.method:
        case BinaryMethod.LITERAL:
            return block.data
        case BinaryMethod.DELTA:
            return apply_delta(base, block.data)
        case _:
            assert_never(block.method)


def apply_delta(base: bytes, delta: bytes) -> bytes:
    """Rebuild a target from `base` by copy and insert instructions (gitformat-pack, "Deltified representation").

    PatchFormatError when the delta was made for a base of another size, reads outside the base, ends too early or
    does not give exactly the size that it announces; nothing larger than MAX_BLOCK_BYTES is built.
    """
    base_size, at = _read_size(delta, 0)
    target_size, at = _read_size(delta, at)
    if base_size != len(base):
        raise PatchFormatError(f"the binary delta is for a base of {base_size} bytes, this one has {len(base)}")
    if target_size > MAX_BLOCK_BYTES:
        raise PatchFormatError(f"the binary delta makes {target_size} bytes; {MAX_BLOCK_BYTES} are the limit")
    target = bytearray()
    while at < len(delta):
        code = delta[at]
        at += 1
        if code & 0x80:
            offset, at = _read_bits(delta, at, code & 0x0F)
            size, at = _read_bits(delta, at, code >> 4 & 0x07)
            size = size or 0x10000
            piece = base[offset : offset + size]
        elif code:
            size = code
            piece = delta[at : at + size]
            at += size
        else:
            raise PatchFormatError("the binary delta holds the reserved instruction 0")
        if len(piece) != size or len(target) + size > target_size:
            raise PatchFormatError("the binary delta reaches outside its base, itself or its target")
        target += piece
    if len(target) != target_size:
        raise PatchFormatError(f"the binary delta ends after {len(target)} of {target_size} bytes")
    return bytes(target)


def _read_size(delta: bytes, at: int) -> tuple[int, int]:
    size = shift = 0
    while at < len(delta) and shift < 64:  # noqa: PLR2004 - no size needs more than 64 bits; ends hostile runs of 0x80
        byte = delta[at]
        at += 1
        size |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return size, at
    raise PatchFormatError("the binary delta has no proper header")


def _read_bits(delta: bytes, at: int, present: int) -> tuple[int, int]:
    """Read a little-endian number of which only the bytes named by the bits of `present` are stored."""
    number = shift = 0
    while present:
        if present & 1:
            if at >= len(delta):
                raise PatchFormatError("the binary delta ends inside an instruction")
            number |= delta[at] << shift
            at += 1
        present >>= 1
        shift += 8
    return number, at


def _read_block(lines: Lines, budget: int) -> BinaryBlock | None:
    method_name, _, size_text = bare(lines.next).partition(b" ")
    if method_name not in _METHODS or not size_text.isdigit():
        return None
    start = lines.at
    size = int(size_text[:20])
    if size > min(budget, MAX_BLOCK_BYTES):
        hint = f"one side may have {MAX_BLOCK_BYTES} bytes; carry such a file by other means than a patch"
        raise lines.error(f"a binary block of {size} bytes is too large", hint=hint)
    lines.at += 1
    packed: list[bytes] = []
    while lines.next not in {b"\n", b""}:
        packed.append(_decode_line(lines))
        lines.at += 1
    if not lines.next:
        raise lines.error(
            "the patch ends inside a binary block", at=start, hint="a binary block ends with a blank line"
        )
    lines.at += 1
    data = _inflate(b"".join(packed), size)
    if data is None:
        raise lines.error(f"the binary block does not inflate to {size} bytes", at=start, hint="the patch is damaged")
    return BinaryBlock(_METHODS[method_name], data)


def _decode_line(lines: Lines) -> bytes:
    line = bare(lines.next)
    length = _line_length(line[:1])
    try:
        data = b85decode(line[1:]) if (len(line) - 1) % 5 == 0 else b""
    except ValueError:
        data = b""
    if not length or len(data) != (length + 3) // 4 * 4:
        raise lines.error("a malformed line in a binary block", hint="the patch is damaged; ask for it again")
    return data[:length]


def _line_length(letter: bytes) -> int:
    if b"A" <= letter <= b"Z":
        return letter[0] - ord("A") + 1
    if b"a" <= letter <= b"z":
        return letter[0] - ord("a") + 1 + _UPPER
    return 0


def _inflate(packed: bytes, size: int) -> bytes | None:
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(packed, size + 1)
    except zlib.error:
        return None
    # Asked for one byte too many, a whole stream reaches its end marker, and a longer one shows itself.
    return data if len(data) == size and inflater.eof and not inflater.unused_data else None


def _render_block(block: BinaryBlock) -> bytes:
    packed = zlib.compress(block.data, _GIT_LEVEL)
    out = [b"%s %d\n" % (block.method.value.encode(), len(block.data))]
    for at in range(0, len(packed), _LINE_BYTES):
        piece = packed[at : at + _LINE_BYTES]
        letter = len(piece) - 1 + ord("A") if len(piece) <= _UPPER else len(piece) - 1 - _UPPER + ord("a")
        out += [bytes([letter]), b85encode(piece, pad=True), b"\n"]
    out.append(b"\n")
    return b"".join(out)


_METHODS = {method.value.encode(): method for method in BinaryMethod}
