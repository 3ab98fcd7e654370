// A chart as a file: its figures as CSV, its drawing as a picture.
import { offerFile } from '../page/offer-file.ts';

/** What a drawing takes from the style sheet, and must carry with it to be drawn alone. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'paint-order',
  'font-size',
  'font-weight',
  'font-variant-numeric',
] as const;

const SCALE = 2;
const MARGIN_PX = 24;
const HEAD_PX = 64;

type Caption = { readonly title: string; readonly lines: readonly string[] };

/** The drawing on the ground of its page, with a title and what must be said beside it, at twice its size. */
export async function savePicture(svg: SVGSVGElement, caption: Caption, fileName: string): Promise<void> {
  const image = await loadImage(svg);
  const { width, height } = svg.viewBox.baseVal;
  const canvas = document.createElement('canvas');
  canvas.width = (width + 2 * MARGIN_PX) * SCALE;
  canvas.height = (height + HEAD_PX + caption.lines.length * 18 + 2 * MARGIN_PX) * SCALE;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser draws no pictures');
  const page = getComputedStyle(document.documentElement);
  const colour = (name: string) => page.getPropertyValue(name).trim();
  pen.scale(SCALE, SCALE);
  pen.fillStyle = colour('--surface');
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = colour('--ink');
  pen.font = `500 20px ${page.fontFamily}`;
  pen.fillText(caption.title, MARGIN_PX, MARGIN_PX + 20);
  pen.drawImage(image, MARGIN_PX, MARGIN_PX + HEAD_PX - 24, width, height);
  pen.fillStyle = colour('--ink-faint');
  pen.font = `12px ${page.fontFamily}`;
  caption.lines.forEach((line, i) =>
    pen.fillText(line, MARGIN_PX, MARGIN_PX + HEAD_PX + height + i * 18, width),
  );
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('this browser makes no pictures');
  offerFile(blob, fileName);
}

export function saveCsv(csv: string, fileName: string): void {
  offerFile(new Blob([csv], { type: 'text/csv;charset=utf-8' }), fileName);
}

/** 'Performance History' as 'performance-history'. */
export function fileStem(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

async function loadImage(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [originals, copies] = [svg, copy].map((one) => [...one.querySelectorAll('*')]);
  originals!.forEach((original, i) => carryStyles(original, copies![i]!));
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('font-family', 'Inter, system-ui, sans-serif');
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}

function carryStyles(original: Element, copy: Element): void {
  const computed = getComputedStyle(original);
  for (const name of STYLES) copy.setAttribute(name, computed.getPropertyValue(name));
  copy.removeAttribute('class');
}
