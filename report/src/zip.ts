// A zip archive of texts, stored as they are.

function crcTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
}

const table = crcTable();

function crc(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = table[(c ^ byte) & 0xff]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** Numbers of two or four bytes, the low one first. */
function numbers(...values: [number, 2 | 4][]): Uint8Array {
  return Uint8Array.from(values.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, k) => (value >>> (8 * k)) & 0xff)));
}

const utf8 = 0x0800;
const firstDay = 0x21; // 1 January 1980: the archive is the same whenever it is made

export function zip(files: { name: string; text: string }[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const file of files) {
    const [name, bytes] = [encoder.encode(file.name), encoder.encode(file.text)];
    const common = numbers([20, 2], [utf8, 2], [0, 2], [0, 2], [firstDay, 2], [crc(bytes), 4], [bytes.length, 4], [bytes.length, 4], [name.length, 2], [0, 2]);
    parts.push(numbers([0x04034b50, 4]), common, name, bytes);
    directory.push(numbers([0x02014b50, 4], [20, 2]), common, numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), name);
    offset += 4 + common.length + name.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2]);
  const all = [...parts, ...directory, end];
  const bytes = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of all) {
    bytes.set(part, place);
    place += part.length;
  }
  return bytes;
}
