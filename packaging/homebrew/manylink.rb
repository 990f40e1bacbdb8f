# Of a clone, on Linux:
#   brew tap-new local/manylink
#   cp packaging/homebrew/manylink.rb "$(brew --repository local/manylink)/Formula/"
#   HOMEBREW_MANYLINK_CLONE=$PWD brew install --HEAD local/manylink/manylink
class Manylink < Formula
  desc "Integrates thousands to millions of runs of a mechanical system side by side"
  license "BSD-3-Clause"
  head "file://#{ENV.fetch("HOMEBREW_MANYLINK_CLONE", "/")}", using: :git

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "gnuplot"
  depends_on "hdf5"
  depends_on "jansson"
  depends_on "libyaml"
  depends_on :linux
  depends_on "xxhash"
  depends_on "zlib"

  def install
    # The compiler of the build is Homebrew's wrapper, which no user has.
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-D", "BUILD_TESTING=OFF", "-D", "ML_KERNEL_CC=cc",
           *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"chain.yaml").write shell_output("#{bin}/manylink init chain")
    system bin/"manylink", "run", "chain.yaml"
    assert_path_exists testpath/"chain.h5"
  end
end
