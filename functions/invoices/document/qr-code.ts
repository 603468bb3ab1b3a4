export interface QrCode {
  /** Modules on a side, without the quiet zone of four on each side that ISO/IEC 18004 requires. */
  size: number;
  runs: readonly Run[];
}

/** Dark modules side by side. */
interface Run {
  x: number;
  y: number;
  width: number;
}

export const quietZone = 4;

/** @param text in UTF-8. The correction level is M, as EPC069-12 requires. */
export async function qrCode(text: string): Promise<QrCode> {
  const { correction, generate, mode } = await import('lean-qr');
  // Bytes only: apps of banks read no other mode reliably, and the text names its encoding itself.
  const code = generate(mode.bytes(new TextEncoder().encode(text)), {
    minCorrectionLevel: correction.M,
    maxCorrectionLevel: correction.M,
  });
  const rows = Array.from({ length: code.size }, (_, y) => runsOf(code, y));
  return { size: code.size, runs: rows.flat() };
}

function runsOf(code: { size: number; get: (x: number, y: number) => boolean }, y: number): Run[] {
  const runs: Run[] = [];
  let start: number | undefined;
  for (let x = 0; x <= code.size; x += 1) {
    if (code.get(x, y)) start ??= x;
    else if (start !== undefined) {
      runs.push({ x: start, y, width: x - start });
      start = undefined;
    }
  }
  return runs;
}
