/* The blocks of numbers: text of the page turned into floats. There are three, in this order: what
 * is shown first, the other numbers of runs, and motions; each is read as soon as it is there. Where two
 * results are compared, the first two are also there of the second result, and of the second less the first. */

/* Bytes of a block: base64 of a zlib stream. */
async function readBlock(id) {
  const element = document.getElementById(id), letters = atob(element.textContent.trim());
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; i++) packed[i] = letters.charCodeAt(i);
  element.remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* A dataset's numbers: all lowest bytes come first, then the next ones. Browsers run on little-endian
 * machines only. */
function joinBytes(block, at, n) {
  const bits = new Uint32Array(n), planes = [0, 1, 2, 3].map((k) => block.subarray(4 * at + k * n, 4 * at + (k + 1) * n));
  const [a, b, c, d] = planes;
  for (let i = 0; i < n; i++) bits[i] = a[i] | (b[i] << 8) | (c[i] << 16) | (d[i] << 24);
  return new Float32Array(bits.buffer);
}

/* Gives the datasets of a block their numbers, and those of the second result and of the difference. */
async function loadBlock(id) {
  for (const [prefix, key] of [["", "numbers"], ["other-", "others"], ["difference-", "differences"]]) {
    if (prefix !== "" && (!head.other || id === "motions")) continue;
    const block = await readBlock(prefix + id);
    for (const dataset of head.datasets)
      if (dataset.block === id) dataset[key] = joinBytes(block, dataset.at, dataset.count);
  }
}
