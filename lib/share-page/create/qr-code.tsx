import { generate } from 'lean-qr';

/** Modules of white around the code: ISO/IEC 18004 asks for four. */
const quiet = 4;

/** The QR code of a link: dark on white in both schemes, because not every reader knows the inverse. */
export function QrCode({ link }: { link: string }) {
  const code = generate(link);
  const side = code.size + 2 * quiet;
  const rows = Array.from({ length: code.size }, (_, y) =>
    Array.from({ length: code.size }, (_, x) =>
      code.get(x, y) ? `M${x + quiet} ${y + quiet}h1v1h-1z` : '',
    ).join(''),
  );
  return (
    <svg
      class="qr"
      role="img"
      aria-label="QR code of the link"
      viewBox={`0 0 ${side} ${side}`}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${side}v${side}H0z`} />
      <path fill="#000" d={rows.join('')} />
    </svg>
  );
}
