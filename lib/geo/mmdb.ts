/** Writes the MaxMind DB format 2.0: https://maxmind.github.io/MaxMind-DB/ */

/** A value of a record or of the metadata. Bytes are a value that is encoded already. */
export type Value = string | Buffer | readonly Value[] | { readonly [key: string]: Value };

/** Addresses from first to last, both included, and their record. */
export interface Range {
  readonly first: bigint;
  readonly last: bigint;
  readonly record: Readonly<Record<string, Value>>;
}

interface Description {
  readonly ipVersion: 4 | 6;
  /** Tells a reader which fields the records have. */
  readonly type: string;
  readonly description: string;
  /** Date of the source, in seconds since 1970: the same source gives the same bytes. */
  readonly buildEpochSeconds: number;
}

const types = { string: 2, map: 7, array: 11, uint16: 5, uint32: 6, uint64: 9 } as const;

/** The end of a branch without a record. The index of a node is not negative; a record's offset is `-2 - offset`. */
const nothing = -1;
/** Zero bytes between the tree and the data. */
const separatorBytes = 16;
const metadataMarker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/**
 * A database of these ranges.
 *
 * @param ranges in ascending order of their first addresses. Where ranges overlap, the one that begins first takes
 *   precedence. Equal records are stored once, and neighbors with the same record become one network.
 * @throws RangeError for ranges that are out of order, end before they begin or exceed the address space.
 */
export function mmdb(ranges: Iterable<Range>, about: Description): Buffer {
  const bits = about.ipVersion === 4 ? 32 : 128;
  const ordered = inOrder(ranges, (1n << BigInt(bits)) - 1n);
  let current = ordered.next().value;
  const left: number[] = [];
  const right: number[] = [];
  const records = new Map<string, number>();
  const data: Buffer[] = [];
  let dataBytes = 0;

  const leaf = (record: Range['record']): number => {
    const key = JSON.stringify(record);
    let offset = records.get(key);
    if (offset === undefined) {
      offset = dataBytes;
      records.set(key, offset);
      const bytes = encoded(record);
      data.push(bytes);
      dataBytes += bytes.length;
    }
    return -2 - offset;
  };
  const join = (zero: number, one: number): number => {
    right.push(one);
    return left.push(zero) - 1;
  };
  /** The branch of the `2 ** free` addresses that begin at `first`. */
  const branch = (first: bigint, free: number): number => {
    const last = first + (1n << BigInt(free)) - 1n;
    while (current !== undefined && current.last < first) current = ordered.next().value;
    if (current === undefined || current.first > last) return nothing;
    if (current.first <= first && last <= current.last) return leaf(current.record);
    const zero = branch(first, free - 1);
    const one = branch(first + (1n << BigInt(free - 1)), free - 1);
    return zero === one && zero < 0 ? zero : join(zero, one);
  };
  const root = branch(0n, bits);
  // A tree has at least one node, even where every address leads to the same record.
  if (root < 0) join(root, root);

  // Nodes are numbered from the leaves up; in the file the root is the first.
  const nodes = left.length;
  const value = (end: number): number => {
    if (end >= 0) return nodes - 1 - end;
    return end === nothing ? nodes : nodes + separatorBytes + (-2 - end);
  };
  const tree = Buffer.alloc(nodes * 8);
  for (let node = 0; node < nodes; node++) {
    tree.writeUInt32BE(value(left[nodes - 1 - node] ?? nothing), node * 8);
    tree.writeUInt32BE(value(right[nodes - 1 - node] ?? nothing), node * 8 + 4);
  }
  return Buffer.concat([tree, Buffer.alloc(separatorBytes), ...data, metadataMarker, metadata(about, nodes)]);
}

function* inOrder(ranges: Iterable<Range>, spaceEnd: bigint): Generator<Range, undefined> {
  let begun = 0n;
  for (const range of ranges) {
    if (range.first < begun || range.last < range.first || range.last > spaceEnd) {
      throw new RangeError(`The range ${range.first} to ${range.last} is out of order or out of the space`);
    }
    begun = range.first;
    yield range;
  }
  return undefined;
}

function metadata({ ipVersion, type, description, buildEpochSeconds }: Description, nodes: number): Buffer {
  return encoded({
    binary_format_major_version: uint16(2),
    binary_format_minor_version: uint16(0),
    build_epoch: uint64(buildEpochSeconds),
    database_type: type,
    description: { en: description },
    ip_version: uint16(ipVersion),
    languages: ['en'],
    node_count: uint32(nodes),
    record_size: uint16(32),
  });
}

/** A value of the data section (https://maxmind.github.io/MaxMind-DB/#output-data-section). */
function encoded(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(types.string, bytes.length), bytes]);
  }
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) {
    return Buffer.concat([control(types.array, value.length), ...value.map(encoded)]);
  }
  const entries = Object.entries(value);
  return Buffer.concat([
    control(types.map, entries.length),
    ...entries.flatMap(([key, item]) => [encoded(key), encoded(item)]),
  ]);
}

const uint = (type: 'uint16' | 'uint32' | 'uint64', bytes: 2 | 4 | 6, value: number): Buffer => {
  const written = Buffer.alloc(bytes);
  written.writeUIntBE(value, 0, bytes);
  return Buffer.concat([control(types[type], bytes), written]);
};
const uint16 = (value: number) => uint('uint16', 2, value);
const uint32 = (value: number) => uint('uint32', 4, value);
const uint64 = (value: number) => uint('uint64', 6, value);

/** The control byte, three bits of type and five of size, and the bytes of both that do not fit in it. */
function control(type: number, size: number): Buffer {
  const [short = 0, ...more] = sizeBytes(size);
  return Buffer.from(type > 7 ? [short, type - 7, ...more] : [(type << 5) | short, ...more]);
}

/** The five bits of the control byte, then the bytes that follow it. */
function sizeBytes(size: number): number[] {
  if (size < 29) return [size];
  if (size < 285) return [29, size - 29];
  if (size < 65_821) return [30, (size - 285) >> 8, (size - 285) & 0xff];
  const rest = size - 65_821;
  return [31, rest >> 16, (rest >> 8) & 0xff, rest & 0xff];
}
