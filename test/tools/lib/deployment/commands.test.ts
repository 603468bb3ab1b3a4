import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { deployment } from '../../../support/deployment/deployment.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.md'),
);
const texts = [
  ...['README.md', 'CONTRIBUTING.md', 'cdk.json', 'package.json', '.github/workflows/deploy.yml'],
  ...guides.map((file) => `docs/${file}`),
].map(read);

/** The commands that a person or a program types, without comments and without the place of the program and of its output. */
const typed = new Set(
  texts
    .flatMap((text) => [
      ...text.matchAll(/(?:npx |bin\/|")cdk ((?:deploy|diff|destroy|rollback)\b[^`#\n]*?)(?:`| *#|"?,?$)/gm),
    ])
    .map(([, command = '']) =>
      command
        .replace(/ --(app|outputs-file) ("[^"]*"|\S+)/g, '')
        .replace(/<stage>|\$STAGE/, 'prod')
        .trim(),
    ),
);

let made: ReturnType<typeof deployment>;
beforeAll(() => {
  // The commands name stacks, whatever is in them.
  made = deployment({ name: 'prod' }, registeredRoutes().slice(0, 4), {}, []);
  made.app.synth();
});
afterAll(() => made?.remove());

/** The options that the installed CDK knows, and those that a command has beside them. */
const { globalOptions, commands } = JSON.parse(read('node_modules/aws-cdk/lib/cli/cli-type-registry.json'));

test('the guides, the scripts and the workflow type these commands of the CDK', () => {
  expect([...typed].sort()).toMatchInlineSnapshot(`
    [
      "deploy --all",
      "deploy --all --require-approval never",
      "deploy vouchsafe-prod-api -c stage=prod",
      "destroy --all -c stage=prod",
      "diff -c stage=prod",
      "rollback vouchsafe-prod-api -c stage=prod",
    ]
  `);
});

test.each([...typed])(
  'cdk %s has options that the CDK knows, and names all stacks or one that exists',
  (command) => {
    const [name = '', ...words] = command.split(' ');
    const options = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
    const known = Object.keys({ ...globalOptions, ...commands[name].options });
    expect(options.filter((option) => !known.includes(option))).toEqual([]);
    const stacks = words.filter((word) => word.startsWith('vouchsafe-'));
    for (const stack of stacks) expect(['vouchsafe-prod-data', 'vouchsafe-prod-api']).toContain(stack);
    // Without a stack, a command takes all of them or, as these two do, refuses to guess.
    if (['deploy', 'destroy'].includes(name))
      expect(options.includes('all') !== stacks.length > 0).toBe(true);
  },
);

/** Runs the installed CDK on the stacks of a stage, without credentials, so that it can only fail where it would ask AWS. */
function cdk(...args: string[]): string {
  const none = '/nonexistent';
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/aws-cdk/bin/cdk', ...args, '--app', made.app.outdir],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: made.app.outdir,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        AWS_EC2_METADATA_DISABLED: 'true',
        AWS_CONFIG_FILE: none,
        AWS_SHARED_CREDENTIALS_FILE: none,
      },
      encoding: 'utf8',
    },
  );
  return `${stdout}${stderr}`;
}

test('npm run deploy selects both stacks, which cdk deploy alone names, and fails without credentials as the guide says', () => {
  const { scripts } = JSON.parse(read('package.json'));
  expect(scripts.deploy).toBe('cdk deploy --all');
  const all = cdk('deploy', '--all');
  const [message = ''] = /^Unable to resolve AWS account to use/m.exec(all) ?? [];
  expect(message, all).not.toBe('');
  expect(read('docs/deploy.md')).toContain(message);
  expect(all).not.toMatch(/more than a single stack|feature flags/);

  const alone = cdk('deploy');
  const [refusal = ''] =
    /^Since this app includes more than a single stack, specify which stacks to use/m.exec(alone) ?? [];
  expect(refusal, alone).not.toBe('');
  expect(read('docs/deploy.md')).toContain(refusal);
  expect(alone).toContain('vouchsafe-prod-data · vouchsafe-prod-api');
});

test('a deployment of the API stack alone deploys the data stack first', () => {
  expect(made.api.dependencies).toEqual([made.data]);
});
