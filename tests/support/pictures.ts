// Pictures that a test makes, byte by byte.
import { crc32, deflateSync } from 'node:zlib';
import openVips from 'wasm-vips';

/** A JPEG whose EXIF says who made it (TIFF 6.0 with the one field ImageDescription, in segment APP1 of JPEG). */
export async function jpegWithExif(description: string): Promise<Buffer> {
  const vips = await openVips({ dynamicLibraries: [] });
  const jpeg = Buffer.from(vips.Image.black(80, 60).writeToBuffer('.jpg'));
  const text = Buffer.from(`${description}\0`);
  const field = Buffer.alloc(18);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(0x010e, 2);
  field.writeUInt16LE(2, 4);
  field.writeUInt32LE(text.length, 6);
  field.writeUInt32LE(26, 10);
  const tiff = Buffer.concat([Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]), field, text]);
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

/** A grey PNG with a comment in it (PNG specification, chunks IHDR, tEXt, IDAT, IEND). */
export function png(width: number, height: number, comment: string): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height, 128);
  for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${comment}`)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
