import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addDeployment } from '../lib/deployment/app.ts';
import { bundleFunctions } from '../lib/deployment/bundling/bundle.ts';
import { chosenStage, environmentOf } from '../lib/deployment/chosen-stage.ts';
import type { StageSettings } from '../lib/deployment/stages.ts';
import { writeGeoLayer } from '../lib/geo/layer.ts';

const app = new App();
const stage = stageOrExit();
addDeployment(app, {
  stage,
  env: environmentOf(stage, process.env, (text) => process.stderr.write(text)),
  bundles: await bundleFunctions(join(app.outdir, 'functions')),
  geoDirectory: await writeGeoLayer(),
});
app.synth();

/** The settings of the stage; ends the program with what is wrong or missing. */
function stageOrExit(): StageSettings {
  try {
    return chosenStage((name) => app.node.tryGetContext(name));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}
