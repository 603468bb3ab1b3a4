import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/** The types of Node.js, for programs that are compiled outside of the project. */
export const nodeTypes = {
  types: ['node'],
  typeRoots: [join(import.meta.dirname, '../../../../node_modules/@types')],
};

/**
 * Compiles modules in a project, with the declarations that they import, and returns the diagnostics.
 *
 * @param directory of a project that has the package in its `node_modules`.
 * @param options beside those of a strict project.
 */
export async function typeFindings(
  directory: string,
  sources: Readonly<Record<string, string>>,
  options: ts.CompilerOptions,
): Promise<{ imported: string[]; findings: string[] }> {
  const files = Object.keys(sources).map((name) => join(directory, `${name}.mts`));
  await Promise.all(Object.values(sources).map((source, i) => writeFile(String(files[i]), source)));
  const program = ts.createProgram(files, {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: [],
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2022,
    ...options,
  });
  // The libraries of the compiler and the types of Node.js are not ours to check, and take most of its time.
  const checked = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(directory));
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...checked.flatMap((source) => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]),
  ];
  return {
    imported: checked.map(({ fileName }) => fileName),
    findings: diagnostics.map(({ messageText, file, start = 0 }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      return `${file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    }),
  };
}
