import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signatureBytes = 8;
/** Length, type and checksum around the data of a chunk. */
const frameBytes = 12;
const truecolor = 2;
const indexed = 3;
const maxColors = 256;

/**
 * The same picture in fewer bytes. With a palette of 256 colors, each pixel is one byte instead of three. The edges of letters
 * have more shades than that: rare ones become the nearest frequent one, which nobody sees. https://www.w3.org/TR/png-3/
 *
 * @param png of 8 bits for each of red, green and blue, as Chromium writes it.
 */
export function compressed(png: Buffer): Buffer {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = signatureBytes; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data });
    at += length + frameBytes;
  }
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header?.[9] !== truecolor) throw new Error('The picture is not of 24 bits');
  const parts = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const width = header.readUInt32BE(0);
  const pixels = unfiltered(inflateSync(Buffer.concat(parts)), width * 3);
  const colors = frequentColors(pixels);
  const palette = Buffer.alloc(colors.length * 3);
  for (const [index, color] of colors.entries()) palette.writeUIntBE(color, index * 3, 3);
  const indexedHeader = Buffer.from(header);
  indexedHeader[9] = indexed;
  return Buffer.concat([
    png.subarray(0, signatureBytes),
    chunk('IHDR', indexedHeader),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(indexedRows(pixels, width, colors), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The colors that most pixels have. */
function frequentColors(pixels: Buffer): number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const color = pixels.readUIntBE(at, 3);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || a - b)
    .slice(0, maxColors)
    .map(([color]) => color);
}

/** The rows of the picture as indexes of the palette. */
function indexedRows(pixels: Buffer, width: number, colors: readonly number[]): Buffer {
  const indexes = new Map(colors.map((color, index) => [color, index]));
  const count = pixels.length / 3;
  const rows = Buffer.alloc(count + count / width);
  for (let i = 0; i < count; i += 1) {
    const color = pixels.readUIntBE(i * 3, 3);
    const index = indexes.get(color) ?? nearest(color, colors);
    indexes.set(color, index);
    // Each row begins with its filter: none.
    rows[Math.floor(i / width) * (width + 1) + 1 + (i % width)] = index;
  }
  return rows;
}

function nearest(color: number, colors: readonly number[]): number {
  const distances = colors.map((other) =>
    [0, 8, 16].reduce((sum, bits) => sum + (((color >> bits) & 255) - ((other >> bits) & 255)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

/** The pixels without the filter of each row. https://www.w3.org/TR/png-3/#9Filters */
function unfiltered(rows: Buffer, rowBytes: number): Buffer {
  const pixels = Buffer.alloc((rows.length / (rowBytes + 1)) * rowBytes);
  for (let at = 0; at < pixels.length; at += 1) {
    const row = Math.floor(at / rowBytes);
    const isFirst = at % rowBytes < 3;
    const left = isFirst ? 0 : (pixels[at - 3] ?? 0);
    const up = row === 0 ? 0 : (pixels[at - rowBytes] ?? 0);
    const corner = isFirst || row === 0 ? 0 : (pixels[at - rowBytes - 3] ?? 0);
    const predicted = prediction(rows[row * (rowBytes + 1)] ?? 0, left, up, corner);
    pixels[at] = (rows[at + row + 1] ?? 0) + predicted;
  }
  return pixels;
}

function prediction(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
    default:
      return 0;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const byLeft = Math.abs(estimate - left);
  const byUp = Math.abs(estimate - up);
  const byCorner = Math.abs(estimate - corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
