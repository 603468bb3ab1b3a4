import { registeredRoutes } from '../../../../../functions/routes.ts';
import { stageSettings } from '../../../../../lib/deployment/stages.ts';
import { all, functionOf, type Json, ofType, resourcesOf } from './synthesized.ts';
import { gradual, grown } from './synthesized-gradual.ts';

const resources = resourcesOf(gradual);
const of = (type: string) => ofType(resources, type);
const idOf = (reference: Json): string => reference.Ref ?? reference['Fn::GetAtt'][0];

test('is off in dev and on in prod, and then only has aliases', () => {
  expect(stageSettings('dev').gradualDeployment).toBeUndefined();
  expect(stageSettings('prod').gradualDeployment).toBe('canary');
  for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Version', 'AWS::CodeDeploy::DeploymentGroup'])
    expect(all(type), type).toEqual([]);
});

describe('each function', () => {
  const aliases = of('AWS::Lambda::Alias');

  test('has an alias at its version, which CodeDeploy moves a tenth at first', () => {
    expect(aliases).toHaveLength(of('AWS::Lambda::Function').length);
    for (const [id, { Properties, UpdatePolicy }] of aliases) {
      expect(Properties.Name, id).toBe('live');
      const version = resources[idOf(Properties.FunctionVersion)];
      expect(version.Properties.FunctionName).toEqual(Properties.FunctionName);
      const { ApplicationName, DeploymentGroupName } = UpdatePolicy.CodeDeployLambdaAliasUpdate;
      const group = resources[idOf(DeploymentGroupName)].Properties;
      expect(group.ApplicationName).toEqual(ApplicationName);
      expect(group.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
      expect(group.AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
      });
    }
  });

  test('is rolled back by the alarm of the API, and a timer by its own as well', () => {
    const { json } = gradual.templates.get('api') ?? {};
    const nested = (name: string) =>
      Object.values<Json>(json.Resources).find(
        ({ Type, Metadata }) =>
          Type === 'AWS::CloudFormation::Stack' && Metadata?.['aws:asset:path']?.includes(`${name}.nested`),
      )?.Properties.Parameters;
    const parameters = Object.assign({}, nested('subscriptions'), nested('shares'));
    for (const [id, { Properties }] of of('AWS::CodeDeploy::DeploymentGroup')) {
      const { Enabled, Alarms } = Properties.AlarmConfiguration;
      expect(Enabled, id).toBe(true);
      const isWatched =
        /subscriptions(runstep|sweeptimers)|notices(deliver|drain)|devicessendalerts|webhooks(fanout|sweepdeliveries)|statementsrunimport/.test(
          id,
        );
      expect(Alarms, id).toHaveLength(isWatched ? 2 : 1);
      const alarm = parameters[Alarms[0].Name.Ref];
      if (alarm !== undefined) expect(idOf(alarm)).toMatch(/^DeploymentFailing/);
    }
    const alarm = of('AWS::CloudWatch::Alarm').find(([id]) => id.startsWith('DeploymentFailing'))?.[1]
      .Properties;
    expect(alarm).toMatchObject({ MetricName: '5XXError', Period: 60, Threshold: 1 });
  });
});

test('the API invokes every function by its alias, and its role may', () => {
  const gateway = JSON.stringify(gradual.templates.get('Gateway')?.json);
  const invoked = [...gateway.matchAll(/\$\{Invocations\}([\w:-]+)\/invocations/g)].map(
    ([, name = '']) => name,
  );
  expect(new Set(invoked).size).toBe(registeredRoutes().length + grown.length);
  for (const name of invoked) expect(name).toMatch(/^[\w-]+:live$/);
  // The wildcard covers the alias, and the function itself, which the former deployment of the API still invokes.
  expect(gateway).toContain('function:vouchsafe-prod-api-*"');
});

test('the state machine invokes the alias of its task, and executions that began without it still the function', () => {
  const [[, machine] = ['', {} as Json]] = of('AWS::StepFunctions::StateMachine');
  const text = JSON.stringify(machine.Properties.DefinitionString);
  const role = resources[idOf(machine.Properties.RoleArn)].Properties;
  const allowed = role.Policies[0].PolicyDocument.Statement[0].Resource.map(idOf);
  const [functionId] = functionOf('By a state machine: Takes the due steps', resources);
  const [aliasId] = of('AWS::Lambda::Alias').find(
    ([, { Properties }]) => idOf(Properties.FunctionName) === functionId,
  ) ?? [''];
  expect(text).toContain(aliasId);
  expect(text).not.toContain(`"${functionId}"`);
  expect(allowed.toSorted()).toEqual([aliasId, functionId].toSorted());
});
