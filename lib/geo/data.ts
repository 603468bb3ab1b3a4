/** An unsigned integer with the type to write it as. */
class Uint {
  readonly bits: 16 | 32 | 64;
  readonly value: number;

  constructor(bits: 16 | 32 | 64, value: number) {
    this.bits = bits;
    this.value = value;
  }
}

export const uint16 = (value: number) => new Uint(16, value);
export const uint32 = (value: number) => new Uint(32, value);
export const uint64 = (value: number) => new Uint(64, value);

/** The types of values that are written here; the format has more. */
export type Value = string | Uint | readonly Value[] | { readonly [key: string]: Value };

const types = { pointer: 1, string: 2, map: 7, array: 11, uint16: 5, uint32: 6, uint64: 9 } as const;

/**
 * Writes values in sequence, as the data section of a MaxMind DB
 * (https://maxmind.github.io/MaxMind-DB/#output-data-section). A repeated text is written as a pointer when that is shorter.
 */
export class DataSection {
  #bytes = Buffer.alloc(1 << 12);
  #length = 0;
  readonly #texts = new Map<string, number>();

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes a value and returns its offset in the section. */
  add(value: Value): number {
    const offset = this.#length;
    if (typeof value === 'string') this.#text(value);
    else if (value instanceof Uint) this.#uint(value);
    else if (Array.isArray(value)) {
      this.#control(types.array, value.length);
      for (const item of value) this.add(item);
    } else {
      const entries = Object.entries(value);
      this.#control(types.map, entries.length);
      for (const [key, item] of entries) {
        this.#text(key);
        this.add(item);
      }
    }
    return offset;
  }

  #text(text: string): void {
    const bytes = Buffer.from(text);
    const known = this.#texts.get(text);
    const pointer = known === undefined ? undefined : pointerBytes(known);
    if (pointer !== undefined && pointer.length < bytes.length + 1) {
      this.#append(pointer);
      return;
    }
    if (known === undefined) this.#texts.set(text, this.#length);
    this.#control(types.string, bytes.length);
    this.#append(bytes);
  }

  #uint({ bits, value }: Uint): void {
    const bytes: number[] = [];
    for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
    this.#control(types[`uint${bits}`], bytes.length);
    this.#append(bytes);
  }

  /** The control byte: three bits of type, five of size, followed by what does not fit in them. */
  #control(type: number, size: number): void {
    const [short, ...more] = sizeBytes(size);
    this.#append(type > 7 ? [short ?? 0, type - 7, ...more] : [(type << 5) | (short ?? 0), ...more]);
  }

  #append(bytes: ArrayLike<number>): void {
    if (this.#length + bytes.length > this.#bytes.length) {
      const larger = Buffer.alloc((this.#length + bytes.length) * 2);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}

/** The five bits of the control byte, then the bytes that follow it. */
function sizeBytes(size: number): number[] {
  if (size < 29) return [size];
  if (size < 285) return [29, size - 29];
  if (size < 65_821) return [30, (size - 285) >> 8, (size - 285) & 0xff];
  const rest = size - 65_821;
  return [31, rest >> 16, (rest >> 8) & 0xff, rest & 0xff];
}

/** A pointer of 11, 19 or 27 bits. Each size counts from where the smaller one ends; undefined beyond 134 MB. */
function pointerBytes(offset: number): number[] | undefined {
  const control = types.pointer << 5;
  if (offset < 2_048) return [control | (offset >> 8), offset & 0xff];
  if (offset < 526_336) {
    const rest = offset - 2_048;
    return [control | 0x08 | (rest >> 16), (rest >> 8) & 0xff, rest & 0xff];
  }
  if (offset >= 134_744_064) return undefined;
  const rest = offset - 526_336;
  return [control | 0x10 | (rest >> 24), (rest >> 16) & 0xff, (rest >> 8) & 0xff, rest & 0xff];
}
