/**
 * A script that returns the texts whose contrast with their background is below 4.5:1. WCAG 2.2, success
 * criterion 1.4.3.
 */
export const lowContrast = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => parts(color).slice(0, 3)
    .map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    return parts(color)[3] === 0 ? behind(element.parentElement) : color;
  };
  const texts = [...document.querySelectorAll('body *')].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''));
  return texts.filter((element) => {
    const pair = [getComputedStyle(element).color, behind(element)].map(luminance).sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05) < 4.5;
  }).map((element) => element.innerText);
})()`;
