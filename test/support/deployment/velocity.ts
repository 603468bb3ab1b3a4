/** The part of Velocity that the templates of unknown paths use, as API Gateway renders it. */

interface Rendered {
  body: string;
  /** The headers that the template sets. */
  overrides: Record<string, string>;
}

/**
 * Renders a template for a request: `#set` of a variable or of an overridden header, `#if` with `#else` on the header
 * `Accept`, each on a line of its own, and references. Anything else throws.
 *
 * https://velocity.apache.org/engine/1.7/user-guide.html
 *
 * @param headers of the request, with their names as sent.
 */
export function renderedTemplate(template: string, headers: Readonly<Record<string, string>>): Rendered {
  const variables = new Map<string, string>();
  const overrides: Record<string, string> = {};

  function holds(condition: string): boolean {
    const accept = variables.get('accept') ?? '';
    if (condition === '!$accept || $accept == ""') return accept === '';
    if (condition === '$accept && $accept.contains("text/html")') return accept.includes('text/html');
    throw new Error(`no known condition: ${condition}`);
  }

  function evaluated(expression: string): string | undefined {
    if (expression === '$input.params().header') return 'the headers';
    const [, name] = /^\$headers\.get\("([\w-]+)"\)$/.exec(expression) ?? [];
    if (name !== undefined) return headers[name];
    // Only the text between double quotes is searched for references.
    const [, single, double] = /^(?:'([^']*)'|"([^"$#\\]*)")$/.exec(expression) ?? [];
    const text = single ?? double;
    if (text === undefined) throw new Error(`no known expression: ${expression}`);
    return text;
  }

  function assign(left: string, value: string | undefined): void {
    const [, header] = /^context\.responseOverride\.header\.([a-z-]+)$/.exec(left) ?? [];
    if (header === undefined) {
      variables.set(left, value ?? '');
      return;
    }
    if (header in overrides) throw new Error(`${header} is overridden twice: API Gateway responds with 5XX`);
    overrides[header] = value ?? '';
  }

  function rendered(line: string): string {
    return line.replaceAll(/\$\{(\w+)\}|[#$]/g, (reference, name) => {
      const value = variables.get(name);
      if (value === undefined) throw new Error(`no known reference or directive: ${reference}`);
      return value;
    });
  }

  let shown = true;
  const lines: string[] = [];
  for (const line of template.split('\n')) {
    const [, condition] = /^#if\((.*)\)$/.exec(line) ?? [];
    const [, left, right] = /^#set\(\$([\w.-]+) = (.+)\)$/.exec(line) ?? [];
    if (condition !== undefined) shown = holds(condition);
    else if (line === '#else') shown = !shown;
    else if (line === '#end') shown = true;
    else if (shown && left !== undefined) assign(left, evaluated(right ?? ''));
    else if (shown) lines.push(rendered(line));
  }
  return { body: lines.join('\n'), overrides };
}
