import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addDeployment } from '../lib/deployment/app.ts';
import { bundleFunctions } from '../lib/deployment/bundling/bundle.ts';
import { requireSettings } from '../lib/deployment/missing-settings.ts';
import { readStageFile } from '../lib/deployment/stage-file.ts';
import { type StageSettings, stageSettings } from '../lib/deployment/stages.ts';
import { writeGeoLayer } from '../lib/geo/layer.ts';

const app = new App();
const stage = settingsOrExit();
// The CDK command sets these when it knows them; an offline synthesis works without.
const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
const { account = CDK_DEFAULT_ACCOUNT, region = CDK_DEFAULT_REGION } = stage;
if (CDK_DEFAULT_ACCOUNT === undefined)
  process.stderr.write(
    'No credentials of AWS: only templates can be made. To compare or deploy, sign in first (docs/deploy.md, step 1).\n',
  );
addDeployment(app, {
  stage,
  env: { account, region },
  bundles: await bundleFunctions(join(app.outdir, 'functions')),
  geoDirectory: await writeGeoLayer(),
});
app.synth();

/** The settings of the stage; ends the program with what is wrong or missing. */
function settingsOrExit(): StageSettings {
  try {
    const own = readStageFile(app.node.tryGetContext('settings'));
    const settings = stageSettings(app.node.tryGetContext('stage') ?? 'dev', own);
    // Whichever command of the CDK runs it. `npm run synth`, which deploys nothing, shows an incomplete stage too.
    if (app.node.tryGetContext('requireSettings') !== 'false') requireSettings(settings);
    return settings;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}
