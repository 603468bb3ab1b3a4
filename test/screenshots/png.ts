import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signatureBytes = 8;
/** Length, type and checksum around the data of a chunk. */
const frameBytes = 12;

/** The same picture with its data compressed as much as zlib can. https://www.w3.org/TR/png-3/#5Chunk-layout */
export function compressed(png: Buffer): Buffer {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = signatureBytes; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data });
    at += length + frameBytes;
  }
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data));
  const image = { type: 'IDAT', data: deflateSync(inflateSync(data), { level: 9, memLevel: 9 }) };
  const [header, end] = ['IHDR', 'IEND'].map((name) => chunks.find(({ type }) => type === name));
  if (header === undefined || end === undefined) throw new Error('This is not a PNG');
  return Buffer.concat([png.subarray(0, signatureBytes), ...[header, image, end].map(chunk)]);
}

function chunk({ type, data }: { type: string; data: Buffer }): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
