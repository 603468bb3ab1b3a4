import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addDeployment } from '../lib/app.ts';
import { bundleFunctions } from '../lib/bundle.ts';
import { writeGeoLayer } from '../lib/geo/layer.ts';
import { stageSettings } from '../lib/stages.ts';

const app = new App();
const stage = stageSettings(app.node.tryGetContext('stage') ?? 'dev');
// The CDK command sets these when it knows them; an offline synthesis works without.
const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
addDeployment(app, {
  stage,
  env: { account, region },
  bundles: await bundleFunctions(join(app.outdir, 'functions')),
  geoDirectory: await writeGeoLayer(),
});
app.synth();
