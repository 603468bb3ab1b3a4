import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A global secondary index as a template declares it. */
export interface GlobalIndex {
  IndexName: string;
  KeySchema: unknown;
  Projection: unknown;
}

const fileOf = (release: string) => join(import.meta.dirname, '../fixtures', release, 'indexes.json');

export function readIndexes(release: string): GlobalIndex[] {
  return JSON.parse(readFileSync(fileOf(release), 'utf8'));
}

export function writeIndexes(release: string, indexes: readonly GlobalIndex[]): void {
  writeFileSync(fileOf(release), `${JSON.stringify(indexes, null, 2)}\n`);
}

/** The global secondary indexes of the table in a template of the data stack. */
export function declaredIndexes(template: { Resources: Record<string, unknown> } | undefined): GlobalIndex[] {
  // biome-ignore lint/suspicious/noExplicitAny: templates have any shape.
  const resources: any[] = Object.values(template?.Resources ?? {});
  return resources.find(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable').Properties
    .GlobalSecondaryIndexes;
}

/**
 * Why DynamoDB would refuse an update of a table from one list of global secondary indexes to another, and what to do
 * instead. One index can be created or deleted in one update, and none can be changed.
 *
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html
 */
export function refusedIndexChanges(before: readonly GlobalIndex[], after: readonly GlobalIndex[]): string[] {
  const named = (list: readonly GlobalIndex[], name: string) =>
    list.find(({ IndexName }) => IndexName === name);
  const created = after.filter(({ IndexName }) => named(before, IndexName) === undefined);
  const deleted = before.filter(({ IndexName }) => named(after, IndexName) === undefined);
  const changed = after.filter((index) => {
    const former = named(before, index.IndexName);
    return former !== undefined && JSON.stringify(former) !== JSON.stringify(index);
  });
  const names = (list: readonly GlobalIndex[]) => list.map(({ IndexName }) => IndexName).join(', ');
  return [
    ...changed.map(
      ({ IndexName }) =>
        `The index ${IndexName} is changed. Add an index of another name, deploy, let the code query it, deploy, then remove ${IndexName}.`,
    ),
    ...(created.length + deleted.length > 1
      ? [
          `More than one index changes (created: ${names(created) || 'none'}; deleted: ${names(deleted) || 'none'}). ` +
            'Release each on its own, and record the fixture after each: first the new index, then the code that queries it, last the removal of the old one.',
        ]
      : []),
  ];
}
