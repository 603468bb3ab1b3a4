/** The files that browsers and phones ask for by themselves, deployed and local. No page names them. */
import { markSvg, productName } from '../../../functions/shared/html/theme.ts';

interface OwnFile {
  readonly type: string;
  readonly text: string;
}

const icon: OwnFile = { type: 'image/svg+xml', text: markSvg };

/** By path. */
export const ownFiles: Readonly<Record<string, OwnFile>> = {
  '/favicon.ico': icon,
  '/apple-touch-icon.png': icon,
  '/apple-touch-icon-precomposed.png': icon,
  '/manifest.json': {
    type: 'application/manifest+json',
    text: JSON.stringify({
      name: productName,
      display: 'browser',
      icons: [{ src: 'favicon.ico', type: icon.type, sizes: 'any' }],
    }),
  },
};

export const ownFileMethods = ['GET', 'HEAD'] as const;
