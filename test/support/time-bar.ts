/** A page of the local stack as a deployment sends it: without the time of the stack. */
export function withoutTimeBar(page: string): string {
  return page
    .replace(/<style>\.local-stack.*?<\/style>/, '')
    .replace(/<aside class="local-stack".*?<\/aside>/, '');
}
