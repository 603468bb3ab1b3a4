/** A QR code as the outline of its dark modules, one unit each: a path of SVG, which PDF draws too. */
export interface QrCode {
  /** Modules on a side, without the quiet zone of four on each side that ISO/IEC 18004 requires. */
  size: number;
  path: string;
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
  const rows = Array.from({ length: code.size }, (_, y) => rowPath(code, y));
  return { size: code.size, path: rows.join('') };
}

/** One rectangle for each run of dark modules. */
function rowPath(code: { size: number; get: (x: number, y: number) => boolean }, y: number): string {
  let path = '';
  let start: number | undefined;
  for (let x = 0; x <= code.size; x += 1) {
    if (code.get(x, y)) start ??= x;
    else if (start !== undefined) {
      path += `M${start} ${y}h${x - start}v1h${start - x}z`;
      start = undefined;
    }
  }
  return path;
}
