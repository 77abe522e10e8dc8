/** Bytes to read for the image size. In a JPEG the size follows the metadata of the camera. */
export const HEADER_BYTES = 100_000

/** Number of pixels of an image, from its header; 0 if unknown. */
export function pixelCount(header: Uint8Array): number {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  try {
    const first = view.getUint32(0)
    if (first === 0x89504e47) return view.getUint32(16) * view.getUint32(20)
    if (first === 0x47494638) return view.getUint16(6, true) * view.getUint16(8, true)
    if (first === 0x52494646) return webpPixels(view)
    return view.getUint16(0) === 0xffd8 ? jpegPixels(view) : 0
  } catch {
    // The header is truncated.
    return 0
  }
}

/** Handles the three WebP formats: extended, lossless and lossy. */
function webpPixels(view: DataView): number {
  switch (view.getUint32(12)) {
    case 0x56503858: {
      const side = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00 + 1
      return side(24) * side(27)
    }
    case 0x5650384c: {
      const bits = view.getUint32(21, true)
      return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1)
    }
    default:
      return (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff)
  }
}

/** Walks the segments to the start-of-frame segment. */
function jpegPixels(view: DataView): number {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const kind = view.getUint8(at + 1)
    // C4, C8 and CC are not frame headers.
    if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)) {
      return view.getUint16(at + 5) * view.getUint16(at + 7)
    }
  }
  return 0
}
