import type { Area } from '../fault.ts';

export const clients: Area = {
  'The service has ciphertext, and learns neither the key of a link nor a passphrase.': {
    'lib/client/share/page-link.ts: the key of a link is part of its query': [
      '/${name}#${fragment}`;',
      '/${name}?key=${fragment}`;',
    ],
    'lib/client/share/share-encryption.ts: the service gets the share proof itself': [
      'access_proof: await accessProof(proof)',
      'access_proof: proof',
    ],
  },
  'The id of a share that vouchsafe-client or the share page created opens nothing and uses nothing up.': {
    'lib/client/share/share-client.ts: the client creates shares that open without a proof': [
      '{ accessProof: true }',
      '{ accessProof: false }',
    ],
  },
  'The name of a file of a stranger is no option and no settings of a program, and no device of Windows.': {
    'lib/client/share/file-name.ts: a file may have the name of an option': [
      'const obeyed = /^(-|(desktop',
      'const obeyed = /^((desktop',
    ],
  },
  'The share page requests nothing about a share before a click.': {
    'lib/share-page/open/open-page.tsx: the share page opens the share when it arrives': [
      'useEffect(() => () => running.current?.abort(), []);',
      'useEffect(() => void open(), []);',
    ],
  },
  'The key of a link and the passphrase leave the share page neither with a request nor in its address.': {
    'lib/share-page/visit.ts: the key of a link stays in the address': [
      "history.replaceState(keyRead, '', withoutKey);",
      "history.replaceState(keyRead, '');",
    ],
  },
  'Another link in the same tab does not replace a content unasked.': {
    'lib/share-page/step.tsx: another link replaces a content without a question': [
      'losses.size === 0 || confirm(question)',
      "losses.size === 0 || question !== ''",
    ],
  },
  'A file of a stranger does not run as a page of this site.': {
    'lib/share-page/open/opened.tsx: a download is a page': [
      "{ type: 'application/octet-stream' }",
      "{ type: 'text/html' }",
    ],
  },
  'A file of a stranger is written into the chosen folder, and overwrites nothing.': {
    'lib/client/cli/output-folder.ts: a file of a share overwrites the one with its name': [
      "open(path, 'wx', mode)",
      "open(path, 'w', mode)",
    ],
  },
  'Text of a stranger does not control the terminal.': {
    'lib/client/cli/text.ts: control characters are printed': [
      ".replaceAll(/[^\\P{Cc}\\n\\t]|\\p{Bidi_Control}/gu, '\\uFFFD')",
    ],
  },
  'The program that people are told to run is that of their deployment. No text names a package of a registry.':
    {
      'lib/client/package/served-package.ts: the hash of the program is that of a part of it': [
        ".update(archive).digest('base64')",
        ".update(archive.subarray(1)).digest('base64')",
      ],
    },
  'The key of a device cannot be exported.': {
    'lib/client/vault/dpop.ts: the key of a device can be exported': [
      'generateKey(curve, false,',
      'generateKey(curve, true,',
    ],
  },
  'No error of the client shows proof, token or content.': {
    'lib/client/vault/transport.ts: an error of the client quotes the headers of its request': [
      "'No answer of the service arrived.'",
      '`No answer to ${JSON.stringify(sent)} arrived.`',
    ],
  },
  '`npm ci` installs the tested packages.': {
    'package.json: a package that is not named runs a script when it is installed': [
      '"esbuild": true',
      '"esbuild": true, "preact": true',
    ],
  },
};
