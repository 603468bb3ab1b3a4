import { DataSection, uint16, uint32, uint64, type Value } from './data.ts';
import { type Branch, nothing, recordIndex, SearchTree, toRecord } from './tree.ts';

export type RecordSize = 24 | 28 | 32;

interface Description {
  readonly ipVersion: 4 | 6;
  /** Tells a reader which fields the records have. */
  readonly type: string;
  readonly description: string;
  /** When the source was made, in seconds since 1970: the same source gives the same bytes. */
  readonly buildEpochSeconds: number;
  /** Bits of a record of the tree; the smallest that fits by default. */
  readonly recordSize?: RecordSize;
}

/** Zero bytes between the tree and the data. */
const separatorBytes = 16;
const metadataMarker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/**
 * A file in the MaxMind DB format 2.0 (https://maxmind.github.io/MaxMind-DB/): branches are joined from the last
 * bit of the addresses to the first. The last branch that is joined is the tree.
 */
export class Database {
  readonly #tree = new SearchTree();
  readonly #records = new Map<string, number>();
  readonly #data = new DataSection();
  /** Offsets in the data, by index of record. */
  readonly #offsets: number[] = [];

  /** A branch that ends in this record. Equal records are stored once. */
  record(record: Readonly<Record<string, Value>>): Branch {
    const key = JSON.stringify(record);
    let index = this.#records.get(key);
    if (index === undefined) {
      index = this.#offsets.length;
      this.#records.set(key, index);
      this.#offsets.push(this.#data.add(record));
    }
    return toRecord(index);
  }

  /** The branch that leads `left` for a 0 and `right` for a 1. */
  join(left: Branch, right: Branch): Branch {
    return this.#tree.join(left, right);
  }

  /**
   * The bytes of the file.
   *
   * @param root the branch at which all addresses begin.
   * @throws RangeError when the file does not fit into records of 32 bits, or of the requested size.
   */
  encode(root: Branch, description: Description): Buffer {
    // A tree has at least one node, even where every address leads to the same record.
    const nodes = root < 0 ? 1 : this.#tree.size;
    if (root >= 0 && root !== nodes - 1) throw new RangeError('The root has to be the last branch joined');
    const data = this.#data.bytes;
    const largest = nodes + separatorBytes + data.length;
    const recordSize = description.recordSize ?? fitting(largest);
    if (largest > 2 ** recordSize) throw new RangeError(`${largest} does not fit into ${recordSize} bits`);

    // Nodes are numbered from the leaves up; in the file the root is the first.
    const value = (branch: Branch) => {
      if (branch >= 0) return nodes - 1 - branch;
      if (branch === nothing) return nodes;
      return nodes + separatorBytes + (this.#offsets[recordIndex(branch)] ?? 0);
    };
    const nodeBytes = recordSize / 4;
    const tree = Buffer.alloc(nodes * nodeBytes);
    for (let node = 0; node < nodes; node++) {
      const [left, right] =
        root < 0 ? [root, root] : [this.#tree.left(nodes - 1 - node), this.#tree.right(nodes - 1 - node)];
      writeNode(tree, node * nodeBytes, recordSize, value(left), value(right));
    }
    return Buffer.concat([
      tree,
      Buffer.alloc(separatorBytes),
      data,
      metadataMarker,
      metadata(description, nodes, recordSize),
    ]);
  }
}

function fitting(largest: number): RecordSize {
  if (largest <= 2 ** 24) return 24;
  return largest <= 2 ** 28 ? 28 : 32;
}

function writeNode(to: Buffer, offset: number, recordSize: RecordSize, left: number, right: number): void {
  if (recordSize === 32) {
    to.writeUInt32BE(left, offset);
    to.writeUInt32BE(right, offset + 4);
    return;
  }
  to.writeUIntBE(left & 0xff_ff_ff, offset, 3);
  if (recordSize === 28) to.writeUInt8(((left >>> 24) << 4) | (right >>> 24), offset + 3);
  to.writeUIntBE(right & 0xff_ff_ff, offset + recordSize / 4 - 3, 3);
}

function metadata(
  { ipVersion, type, description, buildEpochSeconds }: Description,
  nodeCount: number,
  recordSize: RecordSize,
): Buffer {
  const section = new DataSection();
  section.add({
    binary_format_major_version: uint16(2),
    binary_format_minor_version: uint16(0),
    build_epoch: uint64(buildEpochSeconds),
    database_type: type,
    description: { en: description },
    ip_version: uint16(ipVersion),
    languages: ['en'],
    node_count: uint32(nodeCount),
    record_size: uint16(recordSize),
  });
  return section.bytes;
}
