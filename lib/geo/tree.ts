/**
 * What a branch of a prefix tree leads to: a node (0 and up), nothing (-1), or a record (-2 and down). Plain integers, since
 * the networks of one country make millions of them.
 */
export type Branch = number;

export const nothing: Branch = -1;

/** The branch that ends in the record with this index. */
export const toRecord = (index: number): Branch => -2 - index;

/** The index of the record at the end of a branch below -1. */
export const recordIndex = (branch: Branch): number => -2 - branch;

/**
 * A binary tree of address bits, built from its leaves up, that stores equal subtrees once.
 *
 * Neighbors that end in the same record become one network. The format allows sharing (a record may name any node), and
 * MaxMind's own files share subtrees for IPv4 inside IPv6. It makes the city files less than half as large.
 */
export class SearchTree {
  #left = new Int32Array(1 << 12);
  #right = new Int32Array(1 << 12);
  /** Open addressing over the nodes, by their two branches; -1 is free. */
  #slots = new Int32Array(1 << 13).fill(-1);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  left(node: number): Branch {
    return this.#left[node] ?? nothing;
  }

  right(node: number): Branch {
    return this.#right[node] ?? nothing;
  }

  /** The branch that leads `left` for a 0 and `right` for a 1. */
  join(left: Branch, right: Branch): Branch {
    if (left === right && left < 0) return left;
    if (this.#count === this.#left.length) this.#grow();
    const slot = this.#slot(left, right);
    const known = this.#slots[slot] ?? -1;
    if (known >= 0) return known;
    this.#left[this.#count] = left;
    this.#right[this.#count] = right;
    this.#slots[slot] = this.#count;
    return this.#count++;
  }

  /** The slot of the node with these branches, whether it exists or not. */
  #slot(left: Branch, right: Branch): number {
    const mask = this.#slots.length - 1;
    let hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    let slot = (hash ^ (hash >>> 12)) & mask;
    for (;;) {
      const node = this.#slots[slot] ?? -1;
      if (node < 0 || (this.#left[node] === left && this.#right[node] === right)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const left = this.#left;
    const right = this.#right;
    this.#left = new Int32Array(left.length * 2);
    this.#right = new Int32Array(left.length * 2);
    this.#left.set(left);
    this.#right.set(right);
    this.#slots = new Int32Array(left.length * 4).fill(-1);
    for (let node = 0; node < this.#count; node++) {
      this.#slots[this.#slot(this.left(node), this.right(node))] = node;
    }
  }
}
