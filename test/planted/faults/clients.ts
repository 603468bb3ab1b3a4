// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of a source has placeholders.

import type { PlantedFault } from '../fault.ts';

const share = 'lib/client/share';
const cli = 'lib/client/cli';

/** Faults of the programs on the machine of a user: the package for clients, its command line, the script of the share page. */
export const faultsOfClients: readonly PlantedFault[] = [
  {
    name: 'the key of a link is part of its query',
    file: `${share}/page-link.ts`,
    find: '/${name}#${fragment}`;',
    replace: '/${name}?key=${fragment}`;',
    caughtBy: {
      promise: 'The service has ciphertext, and learns neither the key of a link nor a passphrase.',
    },
  },
  {
    name: 'the client creates shares that open without a proof',
    file: `${share}/share-client.ts`,
    find: '{ accessProof: true }',
    replace: '{ accessProof: false }',
    caughtBy: {
      promise:
        'The id of a share that vouchsafe-client or the share page created opens nothing and uses nothing up.',
    },
  },
  {
    name: 'the service gets the share proof itself',
    file: `${share}/share-encryption.ts`,
    find: 'access_proof: await accessProof(proof)',
    replace: 'access_proof: proof',
    caughtBy: {
      promise: 'The service has ciphertext, and learns neither the key of a link nor a passphrase.',
    },
  },
  {
    name: 'a file may have the name of an option',
    file: `${share}/file-name.ts`,
    find: 'const obeyed = /^(-|(desktop',
    replace: 'const obeyed = /^((desktop',
    caughtBy: {
      promise:
        'The name of a file of a stranger is no option and no settings of a program, and no device of Windows.',
    },
  },
  {
    name: 'the share page opens the share when it arrives',
    file: 'lib/share-page/open/open-page.tsx',
    find: 'useEffect(() => () => running.current?.abort(), []);',
    replace: 'useEffect(() => void open(), []);',
    caughtBy: { promise: 'The share page requests nothing about a share before a click.' },
  },
  {
    name: 'the key of a link stays in the address',
    file: 'lib/share-page/visit.ts',
    find: "history.replaceState(keyRead, '', withoutKey);",
    replace: "history.replaceState(keyRead, '');",
    caughtBy: {
      promise:
        'The key of a link and the passphrase leave the share page neither with a request nor in its address.',
    },
  },
  {
    name: 'another link replaces a content without a question',
    file: 'lib/share-page/step.tsx',
    find: 'losses.size === 0 || confirm(question)',
    replace: "losses.size === 0 || question !== ''",
    caughtBy: { promise: 'Another link in the same tab does not replace a content unasked.' },
  },
  {
    name: 'a download is a page',
    file: 'lib/share-page/open/opened.tsx',
    find: "{ type: 'application/octet-stream' }",
    replace: "{ type: 'text/html' }",
    caughtBy: { promise: 'A file of a stranger does not run as a page of this site.' },
  },
  {
    name: 'a file of a share overwrites the one with its name',
    file: `${cli}/output-folder.ts`,
    find: "open(path, 'wx', mode)",
    replace: "open(path, 'w', mode)",
    caughtBy: { promise: 'A file of a stranger is written into the chosen folder, and overwrites nothing.' },
  },
  {
    name: 'a file of a share keeps the dot in front of its name',
    file: `${cli}/open-command.ts`,
    find: "(name.startsWith('.') ? `_${name}` : name);",
    replace: 'name;',
    caughtBy: {
      promise:
        'The name of a file of a stranger is no option and no settings of a program, and no device of Windows.',
    },
  },
  {
    name: 'control characters are printed',
    file: `${cli}/text.ts`,
    find: String.raw`.replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '\uFFFD')`,
    replace: '',
    caughtBy: { promise: 'Text of a stranger does not control the terminal.' },
  },
  {
    name: 'the hash of the program is that of a part of it',
    file: 'lib/client/package/served-package.ts',
    find: ".update(archive).digest('base64')",
    replace: ".update(archive.subarray(1)).digest('base64')",
    caughtBy: {
      promise:
        'The program that people are told to run is that of their deployment. No text names a package of a registry.',
    },
  },
  {
    name: 'the key of a device can be exported',
    file: 'lib/client/vault/dpop.ts',
    find: 'generateKey(curve, false,',
    replace: 'generateKey(curve, true,',
    caughtBy: { promise: 'The key of a device cannot be exported.' },
  },
  {
    name: 'an error of the client quotes the headers of its request',
    file: 'lib/client/vault/transport.ts',
    find: "'No answer of the service arrived.'",
    replace: '`No answer to ${JSON.stringify(sent)} arrived.`',
    caughtBy: { promise: 'No error of the client shows proof, token or content.' },
  },
  {
    name: 'a package that is not named runs a script when it is installed',
    file: 'package.json',
    find: '"esbuild": true',
    replace: '"esbuild": true, "preact": true',
    caughtBy: { promise: '`npm ci` installs the tested packages.' },
  },
];
