# In a clone: nix-build packaging && result/bin/manylink --version
{ pkgs ? import <nixpkgs> { } }:

let
  inherit (pkgs) lib stdenv;
  header = builtins.readFile ../include/manylink/version.h;
in
stdenv.mkDerivation {
  pname = "manylink";
  version = builtins.head (builtins.elemAt (builtins.split "#define ML_VERSION \"([0-9.]+)\"" header) 1);
  src = lib.cleanSource ../.;

  nativeBuildInputs = with pkgs; [ cmake ninja pkg-config makeWrapper ];
  buildInputs = with pkgs; [ hdf5 libyaml jansson xxHash zlib ];

  # Folders below the prefix: manylink.pc finds the prefix from where it lies.
  cmakeFlags = [
    "-DBUILD_TESTING=OFF"
    "-DCMAKE_INSTALL_LIBDIR=lib"
    "-DCMAKE_INSTALL_INCLUDEDIR=include"
  ];
  postInstall = ''
    wrapProgram $out/bin/manylink --prefix PATH : ${lib.makeBinPath [ pkgs.gnuplot stdenv.cc ]}
  '';

  meta = {
    description = "Integrates thousands to millions of runs of a mechanical system side by side";
    license = lib.licenses.bsd3;
    platforms = lib.platforms.linux;
    mainProgram = "manylink";
  };
}
