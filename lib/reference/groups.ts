import { operationsOf, type PlacedOperation } from '../openapi/placed-operation.ts';
import type { OpenApiDocument } from '../openapi/types.ts';
import { groupTitleOf } from './titles.ts';

/** The operations of a tag, which have a page. */
export interface Group {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

/** The operations of each tag, in the order of the document. */
export function groupsOf(document: OpenApiDocument): Group[] {
  const operations = operationsOf(document);
  return document.tags
    .map(({ name, description }) => ({
      name,
      title: groupTitleOf(name),
      description,
      operations: operations.filter(({ operation }) => operation.tags[0] === name),
    }))
    .filter((group) => group.operations.length > 0);
}
